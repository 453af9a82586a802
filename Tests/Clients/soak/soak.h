/* What every game of the soak says of itself, in whatever language it is written: the judge is one for all of them.
 *
 * A frame is: soak_begin, which sleeps to the next sixtieth of a second; what the library is asked for, told by soak_seen, soak_answer and
 * soak_recorded; soak_end. What a game says lies in a file that the conductor has mapped too. */
#ifndef SOAK_H
#define SOAK_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The game at that place of the board, a file that the conductor has made. False when there is no such. */
bool soak_open(const char *board, int place);
/* False when the game is over. */
bool soak_begin(void);
/* What one of the game's two handles answers: 0 the player's, 1 that of nobody in particular, whose values are mapped. */
void soak_seen(int handle, int state, const char *epoch, int64_t revision, int64_t queued, int64_t beat, double still, const char *label);
/* The score of an event that is due; 0 when none is. */
int64_t soak_due(void);
/* The number that the event has got. */
void soak_recorded(int64_t number, int64_t score);
void soak_answer(int64_t number, int status, const char *body);
void soak_end(void);

#ifdef __cplusplus
}
#endif
#endif
