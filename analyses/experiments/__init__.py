"""Questions that play games of their own to be answered."""
