/* pthread.h: a page has one thread, and no signals to hold off. */
#ifndef PLAY_PTHREAD_H
#define PLAY_PTHREAD_H

#define sigfillset(set) ((void)(set))
#define pthread_sigmask(how, set, before) ((void)(set), (void)(before), 0)

#endif
