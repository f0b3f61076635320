/* Files that are there for a moment only, under a name of their own until they are whole. They are noted here, so that
 * a process that is told to end in the middle can take them away first. A library does not catch signals: the command
 * does. */
#ifndef GF_BASE_TEMPORARY_H
#define GF_BASE_TEMPORARY_H

/* Notes a file that is about to be made, by its name as of openat. The number to forget it by; -1 where there is no
 * room for it, which gf_temporary_forget takes. From several threads. */
int gf_temporary_note(int folder, const char *name);
/* It is gone, or has its lasting name. */
void gf_temporary_forget(int number);
/* Removes all that are noted. May be called by a signal handler, when the process ends right behind it. */
void gf_temporary_remove_all(void);

#endif
