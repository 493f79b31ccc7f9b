/* sparse_steps.h -- base/device: operations on an element of a sparse vector, *val, and that of a dense one
 * in its place, *y; arithmetic comes from the file that includes this one, as for band_steps.h. */
BAND_EVERYWHERE void sparse_element(enum psb_sparse_kind kind, T a, T s, T *val, T *y)
{
    switch (kind) {
    case PSB_SV_GATHER:
        *val = *y;
        break;
    case PSB_SV_CONJUGATES:
        *val = band_conjugate(*y);
        break;
    case PSB_SV_TAKE:
        *val = *y;
        *y = BAND_ZERO;
        break;
    case PSB_SV_SCATTER:
        *y = *val;
        break;
    case PSB_SV_SCALE_AND_ADD: /* of elements that have been multiplied */
    case PSB_SV_ADD:
        *y = band_plus(*y, band_times(a, *val));
        break;
    case PSB_SV_SCALE:
        *y = band_times(a, *y);
        break;
    case PSB_SV_ROTATE: {
        const T v = *val, w = *y;
        *val = band_plus(band_times(a, v), band_times(s, w));
        *y = band_minus(band_times(a, w), band_conjugate(s), v);
    }
    }
}
