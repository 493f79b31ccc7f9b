/* vec_basic.t.h -- base/device: vector operations on the host that scalars and integers have.  Sources
 * include this after psb_type.h. */

/* --- by several threads ------------------------------------------------------------------------------- */

/* Operands of an operation: factors, input arrays, output array (upd_xyz has two), list of rows. */
struct job {
    T a, b, c, d;
    const T *alpha, *beta; /* factors of columns */
    const T *x, *y;
    const T *const *many; /* k arrays */
    T *u, *z;
    const psb_ipk *idx;
    int k;
};

typedef void job_part(const struct job *j, psb_epk from, psb_epk to);

struct parts {
    psb_epk n;
    job_part *f;
    const struct job *j;
};

static inline void run_part(void *parts, int t, int p)
{
    const struct parts *q = parts;
    psb_epk from, to;
    psb_thread_range(q->n, t, p, &from, &to);
    q->f(q->j, from, to);
}

/* Run f on elements or rows 0 .. n-1 by several threads; a row has `each` elements. */
static inline psb_err in_parts(psb_epk n, int each, job_part *f, const struct job *j)
{
    psb_team(psb_threads(n * each), run_part, &(struct parts){ n, f, j });
    return PSB_OK;
}

/* --- elementwise operations --------------------------------------------------------------------------- */

static inline void fill_part(const struct job *j, psb_epk from, psb_epk to)
{
    for (psb_epk i = from; i < to; i++)
        j->z[i] = j->a;
}

static inline psb_err fill(psb_epk n, T a, T *x)
{
    return in_parts(n, 1, fill_part, &(struct job){ .a = a, .z = x });
}

static inline void scale_part(const struct job *j, psb_epk from, psb_epk to)
{
    const T a = j->a, *x = j->x;
    T *z = j->z;
    for (psb_epk i = from; i < to; i++)
        z[i] = a * x[i];
}

static inline psb_err scale(psb_epk n, T alpha, const T *x, T *y)
{
    if (alpha == 0)
        return fill(n, 0, y);
    if (alpha == 1 && x == y)
        return PSB_OK;
    return in_parts(n, 1, scale_part, &(struct job){ .a = alpha, .x = x, .z = y });
}

static inline void axpbyz_part(const struct job *j, psb_epk from, psb_epk to)
{
    const T a = j->a, b = j->b, *x = j->x, *y = j->y;
    T *z = j->z;
    for (psb_epk i = from; i < to; i++)
        z[i] = a * x[i] + b * y[i];
}

static inline psb_err axpbyz(psb_epk n, T alpha, const T *x, T beta, const T *y, T *z)
{
    if (alpha == 0)
        return scale(n, beta, y, z);
    if (beta == 0)
        return scale(n, alpha, x, z);
    return in_parts(n, 1, axpbyz_part, &(struct job){ .a = alpha, .b = beta, .x = x, .y = y, .z = z });
}

static inline psb_err axpby(psb_epk n, T alpha, const T *x, T beta, T *y)
{
    return axpbyz(n, alpha, x, beta, y, y);
}

/* --- gather and scatter ------------------------------------------------------------------------------- */

static inline void gth_part(const struct job *j, psb_epk from, psb_epk to)
{
    const psb_ipk *idx = j->idx;
    const T *x = j->x;
    T *buf = j->z;
    for (psb_epk i = from; i < to && j->k == 1; i++)
        buf[i] = x[idx[i]];
    for (psb_epk i = from; i < to && j->k > 1; i++)
        for (int l = 0; l < j->k; l++)
            buf[i * j->k + l] = x[(psb_epk)idx[i] * j->k + l];
}

static inline psb_err gth(psb_ipk n, const psb_ipk *idx, int k, const T *x, T *buf)
{
    return in_parts(n, k, gth_part, &(struct job){ .idx = idx, .k = k, .x = x, .z = buf });
}

static inline void scatter_add_part(const struct job *j, psb_epk from, psb_epk to)
{
    const psb_ipk *idx = j->idx;
    const T *buf = j->x;
    T *y = j->z;
    for (psb_epk i = from; i < to && j->k == 1; i++)
        y[idx[i]] += buf[i];
    for (psb_epk i = from; i < to && j->k > 1; i++)
        for (int l = 0; l < j->k; l++)
            y[(psb_epk)idx[i] * j->k + l] += buf[i * j->k + l];
}

static inline psb_err scatter_add(psb_ipk n, const psb_ipk *idx, int k, const T *buf, T *y)
{
    return in_parts(n, k, scatter_add_part, &(struct job){ .idx = idx, .k = k, .x = buf, .z = y });
}

static inline void scatter_part(const struct job *j, psb_epk from, psb_epk to)
{
    const T *buf = j->x;
    for (psb_epk i = from; i < to; i++)
        for (int l = 0; l < j->k; l++) {
            T *const y = &j->z[(psb_epk)j->idx[i] * j->k + l];
            *y = j->b == 0 ? buf[i * j->k + l] : j->b * *y + buf[i * j->k + l];
        }
}

static inline psb_err scatter(psb_ipk n, const psb_ipk *idx, int k, const T *buf, T beta, T *y)
{
    return in_parts(n, k, scatter_part, &(struct job){ .b = beta, .idx = idx, .k = k, .x = buf, .z = y });
}
