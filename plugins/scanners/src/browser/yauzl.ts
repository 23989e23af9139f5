/** In place of the library: archives are read once they have been sent. `previewReport` looks into none. */
export const fromBufferPromise = (): Promise<never> =>
  Promise.reject(new Error('Archives are not read in the browser.'));
