/* hash.c -- base/core: open addressing, linear probing. */
#include "hash.h"
#include "psb_alloc.h"
#include <string.h>

/* Fibonacci hashing: the golden ratio spreads runs of indices (Knuth, vol. 3, 6.4). */
static size_t slot_of(const struct psb_hash *h, psb_lpk key)
{
    size_t i = (size_t)(((uint64_t)key * UINT64_C(0x9E3779B97F4A7C15)) >> 20) & (h->cap - 1);
    while (h->key[i] != -1 && h->key[i] != key)
        i = (i + 1) & (h->cap - 1);
    return i;
}

psb_err psb_hash_reserve(struct psb_hash *h, size_t n)
{
    size_t cap = h->cap ? h->cap : 16;
    while (cap < 2 * (h->n + n))
        cap *= 2;
    if (cap == h->cap)
        return PSB_OK;

    struct psb_hash new = { .cap = cap };
    PSB_TRY(psb_alloc(&new.key, cap, sizeof *new.key, "hash keys"));
    psb_err e = psb_alloc(&new.val, cap, sizeof *new.val, "hash values");
    if (e != PSB_OK) {
        psb_free(new.key);
        return PSB_PASS(e);
    }
    memset(new.key, 0xff, cap * sizeof *new.key);
    for (size_t i = 0; i < h->cap; i++)
        if (h->key[i] != -1)
            psb_hash_put(&new, h->key[i], h->val[i]);
    psb_hash_free(h);
    *h = new;
    return PSB_OK;
}

psb_ipk psb_hash_get(const struct psb_hash *h, psb_lpk key)
{
    if (!h->n || key < 0) /* -1 marks what is free */
        return -1;
    size_t i = slot_of(h, key);
    return h->key[i] == key ? h->val[i] : -1;
}

psb_ipk psb_hash_put(struct psb_hash *h, psb_lpk key, psb_ipk val)
{
    size_t i = slot_of(h, key);
    if (h->key[i] == -1) {
        h->key[i] = key;
        h->val[i] = val;
        h->n++;
    }
    return h->val[i];
}

psb_err psb_hash_copy(struct psb_hash *h, const struct psb_hash *of)
{
    struct psb_hash new = { .cap = of->cap, .n = of->n };
    *h = (struct psb_hash){ 0 };
    if (!of->cap)
        return PSB_OK;
    PSB_TRY(psb_copy(&new.key, of->key, of->cap, sizeof *of->key, "hash keys"));
    psb_err e = psb_copy(&new.val, of->val, of->cap, sizeof *of->val, "hash values");
    if (e == PSB_OK)
        *h = new;
    else
        psb_free(new.key);
    return PSB_PASS(e);
}

void psb_hash_free(struct psb_hash *h)
{
    psb_free(h->key);
    psb_free(h->val);
    *h = (struct psb_hash){ 0 };
}
