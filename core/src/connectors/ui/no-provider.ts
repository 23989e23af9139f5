/** Source: specification §8 "source_control query missing". */
export const NO_PROVIDER = 'Source control not found. Check your setting on connector page';
