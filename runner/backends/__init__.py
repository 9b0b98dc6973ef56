"""Document and facts in, launch plan out; one file a back end."""
