/* rsb_formats.h -- rsb: the formats of rsb, one per line. */
PSB_FORMAT(rsb)
