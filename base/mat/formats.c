/* formats.c -- base/mat: the registry of formats: molds by name. */
#include "psb_format.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include "psb_type.h"

enum { MOST = 64 };

#define PSB_FORMAT(f) &X(f##_mold).mat,
static const struct X(mat) *molds[MOST] = {
#include "base_formats.h"
};
#undef PSB_FORMAT

/* What the last psb_?_mat_by_name of this thread said of a name that it did not find; else "". */
static _Thread_local char unknown[448];

const struct X(mat) *X(mat_format)(int i)
{
    int k = 0;
    if (i < 0)
        return NULL;
    for (; k < MOST && molds[k] && (molds[k]->ops->storage.choose || i-- > 0); k++)
        ;
    return k < MOST ? molds[k] : NULL;
}

const struct X(mat) *X(mat_by_name)(const char *name)
{
    char known[336] = "";
    unknown[0] = '\0';
    if (!name) {
        PSB_FAIL(PSB_EARG, "argument name is NULL; expected the name of a format");
        return NULL;
    }
    for (int i = 0; i < MOST && molds[i]; i++) {
        if (strcasecmp(molds[i]->ops->fmt, name) == 0)
            return molds[i];
        size_t n = strlen(known);
        snprintf(known + n, sizeof known - n, " %s", molds[i]->ops->fmt);
    }
    snprintf(unknown, sizeof unknown, "argument name is \"%.40s\"; expected one of%s", name, known);
    PSB_FAIL(PSB_EARG, "%s", unknown);
    return NULL;
}

psb_err X(need_mold)(const struct X(mat) *mold)
{
    PSB_CHECK(mold || !*unknown, PSB_EARG, "argument mold is NULL, the result of psb_%c_mat_by_name: %s",
              LETTER, unknown);
    PSB_NEED(mold, "the mold of a format");
    return PSB_OK;
}

void X(forget_name)(void)
{
    *unknown = '\0';
}

psb_err X(optional_mold)(const struct X(mat) *mold)
{
    const psb_err e = mold || !*unknown ? PSB_OK : X(need_mold)(mold);
    X(forget_name)();
    return PSB_PASS(e);
}

psb_err X(mat_register)(const struct X(mat) *mold)
{
    int i = 0;
    PSB_NEED(mold, "the mold of a format");
    PSB_CHECK(mold->ops && mold->ops->fmt && *mold->ops->fmt, PSB_EARG,
              "argument mold has no %s; expected the mold of a format", mold->ops ? "name" : "operations");
    while (i < MOST && molds[i] && strcasecmp(molds[i]->ops->fmt, mold->ops->fmt) != 0)
        i++;
    PSB_CHECK(i < MOST, PSB_ENOMEM, "format %s is one too many; expected at most %d formats", mold->ops->fmt,
              MOST);
    PSB_CHECK(!molds[i] || molds[i] == mold, PSB_EARG,
              "argument mold is a format called %s, which is registered already; expected another name",
              mold->ops->fmt);
    molds[i] = mold;
    return PSB_OK;
}
