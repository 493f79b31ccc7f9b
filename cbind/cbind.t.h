/* cbind.t.h -- cbind: what its typed sources share; included after psb_type.h. */
#ifndef PSB_CBIND_T_H
#define PSB_CBIND_T_H
#define C(name) PSB_CAT(PSB_CAT(psb_c_, PSB_NOW), name)
#define VECTOR  PSB_CAT(PSB_NOW, vector) /* the member of a handle */
#define SPMAT   PSB_CAT(PSB_NOW, spmat)
#define PREC    PSB_CAT(PSB_NOW, prec)

enum box_holds { IS_VECTOR, IS_MATRIX };

struct X(cbind_vect) {
    enum box_holds what;
    struct X(vect) *v;
    struct X(vect) *twin; /* the same rows on another descriptor, as it was last used with; or NULL */
    enum psb_dupl dupl;   /* of geins */
    psb_i_t mode;         /* of the insertions since the last assembly; 0: none */
    bool shown;           /* the program has the address of the elements */
    T *seen; /* these elements by the program's numbers, if they are not the library's; or NULL */
};

/* One of the two: a distributed matrix; a whole one, gathered on this process. */
struct X(cbind_mat) {
    enum box_holds what;
    struct X(spmat) *a;
    struct X(mat) *whole;
};

/* The address that the program has is no longer valid. */
void X(cbind_hide)(struct X(cbind_vect) *b);

/* The box of a handle.  PSB_EARG, naming the argument, if there is none. */
psb_err X(cbind_vect)(const C(vector) * xh, const char *name, struct X(cbind_vect) **b);
psb_err X(cbind_mat)(const C(spmat) * ah, const char *name, struct X(cbind_mat) **b);

/* The vector of a handle in any state, up to date with what the program wrote to its elements.  Local. */
psb_err X(cbind_local)(const C(vector) * xh, struct X(cbind_vect) **b);

/* The vectors v[0..m) of the handles h[0..m), assembled, on descriptor d, up to date.  Collective. */
psb_err X(cbind_open)(psb_desc *d, int m, C(vector) *const *h, struct X(vect) **v);

/* The same for the descriptor of a handle. */
psb_err X(cbind_open_on)(const psb_c_descriptor *cdh, int m, C(vector) *const *h, struct X(vect) **v);

/* The arguments m and h of these calls. */
/* clang-format off */
#define HANDLES(...) sizeof((C(vector) *[]){ __VA_ARGS__ }) / sizeof(void *), (C(vector) *[]){ __VA_ARGS__ }
/* clang-format on */

/* Declare v, and set it to the vectors of at most 3 handles; return after an error. */
#define OPEN(v, cdh, ...) \
    struct X(vect) *v[3] = { 0 }; \
    NEED_OK(X(cbind_open_on)((cdh), HANDLES(__VA_ARGS__), v))

/* The assembled or building matrix of a handle, and the vectors of h[0..m) on its descriptor.  Collective. */
psb_err X(cbind_open_with)(const C(spmat) * ah, int m, C(vector) *const *h, struct X(spmat) **a,
                           struct X(vect) **v);

/* End a call that changed v, which cbind_open returned for yh, or failed with e: return the call's code. */
psb_i_t X(cbind_close)(const C(vector) * yh, const struct X(vect) *v, psb_err e, const char *call);
#define CLOSE(yh, v, e) X(cbind_close)((yh), (v), (e), __func__)

/* The mold of the format `afmt`; those of a device are known once it is open.  Collective. */
psb_err X(cbind_mold)(psb_ctxt *ctxt, const char *afmt, const struct X(mat) **mold);

/* Release what a box holds, and the box. */
void X(cbind_free_mat)(struct X(cbind_mat) *b);
/* Put a, or whole, into the handle, which is empty; they are freed if that fails. */
psb_err X(cbind_set_mat)(C(spmat) * ah, struct X(spmat) *a, struct X(mat) *whole);
#endif
