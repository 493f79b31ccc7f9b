/* psb_hlgp.t.h -- cuda/formats: HLL with packed columns on the device, made by the first product there: of
 * the device's copy of HLL if the matrix was made there, else of the host's.
 *
 * A strip is 32 rows.  The entries of a strip are stored in slots; a slot has one lane for each row.  The
 * entry of lane l is in column base + l + d.  All lanes of a slot store d in the same number of bytes: 0 for
 * a diagonal, 1 or 2 in a band, else 4.  A diagonal on which most rows of the strip have an entry is a slot
 * of 0 bytes; the other entries of each row are in further slots, in their order.  If a lane has no entry,
 * its bit in the mask of the slot is clear. */
#ifndef PSB_HLGP /* what is the same for all scalars */
#define PSB_HLGP
enum { PSB_STRIP = 32, PSB_CODES = 4 };

/* slots[c] slots of code c, in the order of codes, from slot `first` of the matrix on.  Their d begin at byte
 * `at`: slot by slot, and lane by lane, each in 0, 1, 2 or 4 bytes, by the code. */
struct psb_strip {
    psb_epk first, at;
    psb_ipk slots[PSB_CODES];
};

/* Bit l of the mask: lane l has an entry in this slot. */
struct psb_strip_slot {
    psb_ipk base;
    uint32_t mask;
};

struct psb_packed {
    struct psb_dual strip; /* struct psb_strip */
    struct psb_dual slot;  /* struct psb_strip_slot; in a strip ordered by bytes, those of 0 bytes by base */
    struct psb_dual bytes; /* unsigned char */
    struct psb_dual left;  /* psb_ipk, for new values; of each strip, after as many unused elements as it has
                              slots  of 0 bytes: the slots of the remaining entries, in their order */
};

/* The m rows to be packed, see psb_hll.t.h, and the arrays that result, on one side. */
struct psb_packing {
    psb_ipk m;
    psb_epk rows, size, strips; /* rows of a hack, elements of ja, number of strips */
    const psb_epk *off;
    const psb_ipk *irn, *ja;
    const void *from; /* values */
    struct psb_strip *strip;
    struct psb_strip_slot *slot;
    psb_ipk *left;
    unsigned char *bytes;
    int narrow;      /* as in psb_packed_dev */
    void *to;        /* values, */
    size_t to_bytes; /* of as many bytes */
};

/* The m rows of a matrix, in device memory; the value of lane l of slot s is val[s * PSB_STRIP + l]. */
struct psb_packed_dev {
    psb_ipk m;
    int narrow; /* val is in single precision */
    const struct psb_strip *strip;
    const struct psb_strip_slot *slot;
    const unsigned char *bytes;
    const void *val;
    struct psb_moved moved;
    float stays; /* the share that stays in the cache between products; set at the launch */
};
#endif

/* The scalar in single precision. */
#if PSB_CAT(PSB_CPLX_, PSB_NOW)
typedef PSB_SCALAR_c X(narrow);
#else
typedef PSB_SCALAR_s X(narrow);
#endif

struct X(hlgp_mat) {
    union {
        struct X(mat) mat;
        struct X(hll_mat) hll; /* any hack; rows are not sorted */
    };
    int narrow; /* 1: device values in single precision, products and sums in the scalar's; or 0 */
    struct psb_packed packed;
    struct psb_dual val;                /* PSB_STRIP elements per slot: T, or T in single precision */
    unsigned long packed_at, values_at; /* hll.ja.changes, hll.val.changes at that time */
};
extern const struct X(hlgp_mat) X(hlgp_mold); /* hack 32; limit 2, since padding is read; not narrow */

/* --- inside cuda ------------------------------------------------------------------------------------ */

/* As those of cuda/abi/kernels.t.h.  measure: q->strip; found[0], found[1], of PSB_FOUND: the number of slots
 * and of bytes.  fill: q->slot, q->left, q->bytes.  move: q->to. */
struct X(packed_kernels) {
    psb_err (*measure)(const struct psb_packing *q, psb_epk *found);
    psb_err (*fill)(const struct psb_packing *q);
    psb_err (*move)(const struct psb_packing *q);
    psb_err (*csmm)(const struct psb_packed_dev *a, psb_ipk k, T alpha, const T *x, T beta, T *y);
    psb_err (*fused)(const struct psb_packed_dev *a, T alpha, const T *x, T beta, T *y,
                     const struct X(vec_epilogue) *t, double *partial, double *sum);
};
extern const struct X(packed_kernels) X(packed_kernels_fake), X(packed_kernels_cuda);
