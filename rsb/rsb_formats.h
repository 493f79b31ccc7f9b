/* rsb_formats.h -- room: rsb.  Its formats, one a line. */
PSB_FORMAT(rsb)
