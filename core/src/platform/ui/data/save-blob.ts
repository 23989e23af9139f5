/** So long a browser may take to begin with a download. */
const KEEP_MS = 60_000;

/** Gives the browser a file to keep. */
export const saveBlob = (blob: Blob, fileName: string): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEEP_MS);
};
