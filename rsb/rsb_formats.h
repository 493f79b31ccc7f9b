/* rsb_formats.h -- room: rsb.  The formats of this room, one per line. */
PSB_FORMAT(rsb)
