import type { Locator } from 'playwright-core';
import { decodeQR, type Image } from 'qr/decode.js';

/** Retries of the decoder on a busy machine. */
const DECODE_MS = 30_000;

const readPixels = (element: Locator, png: string): Promise<{ width: number; height: number; rgba: string }> =>
  element.evaluate(async (_element, base64) => {
    const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const { width, height } = picture;
    const canvas = new OffscreenCanvas(width, height).getContext('2d');
    if (canvas === null) throw new Error('The browser draws nothing.');
    canvas.drawImage(picture, 0, 0);
    const { data } = canvas.getImageData(0, 0, width, height);
    return { width, height, rgba: Array.from(data, (value) => String.fromCharCode(value)).join('') };
  }, png);

/**
 * What a camera reads of a QR code on the screen: the pixels of the element as the browser has painted them, read by another library than
 * the one that draws the code. @throws where the code cannot be read
 */
export const readQrCode = async (element: Locator): Promise<string> => {
  const png = await element.screenshot({ animations: 'disabled' });
  const { width, height, rgba } = await readPixels(element, png.toString('base64'));
  const image: Image = { width, height, data: Uint8Array.from(Buffer.from(rgba, 'latin1')) };
  return decodeQR(image, { timeLimit: DECODE_MS });
};
