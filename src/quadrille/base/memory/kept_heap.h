// The kept heap: a program that makes plans, looks at them and drops them keeps the memory they had, and has it in large pages.
// To hand it back each time, and to get it anew four thousand bytes at a time, took up to two fifths of the time of a choice.
#pragma once

namespace quadrille {

/// For the first line of main(), and for whole programs: it says how all of malloc behaves, and gives threads heaps of their own, as many
/// as there are processors, up to eight. A wish: nothing changes where the system cannot, and where a shell limits what a process may
/// take no room is set aside, and threads share one heap.
void keep_heap();

}  // namespace quadrille
