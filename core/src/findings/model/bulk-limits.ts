/** Findings that one job fixes at most: a few hours of work, which nobody reviews in less. */
export const MAX_FIXES_AT_ONCE = 5000;
