export const none = 1;
