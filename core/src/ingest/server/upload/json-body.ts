import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import { say } from '../../../platform/model/sentence.ts';
import { sayEnglish } from '../../../platform/model/translator.ts';

/** Everything of the body but the file: a few short fields. */
const MAX_FRAME_BYTES = 64 * 1024;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

const malformed = (why: string): AppError =>
  new AppError('validation_failed', say('The body is not valid JSON: {why}.', { why }), {
    issues: [{ loc: ['body'], msg: sayEnglish('The body is not valid JSON: {why}.', { why }), type: 'json_invalid' }],
  });

type Position = 'frame' | 'key-or-value' | 'file';

/**
 * Splits a JSON body `{ "tool": …, "file": "<base64>" }` while it arrives: the base64 goes on in pieces, the rest is kept
 * as a small frame with an empty `file`. So an upload of any size needs little memory and never blocks the process.
 */
export class JsonBodySplitter {
  #position: Position = 'frame';
  #isEscaped = false;
  #depth = 0;
  #frame: number[] = [];
  #word: number[] = [];
  #lastWord = '';
  #isAfterColon = false;

  /** @returns the bytes of base64 text that this piece of the body holds. */
  push(piece: Uint8Array): Buffer {
    let start = -1;
    const parts: Uint8Array[] = [];
    for (let index = 0; index < piece.length; index += 1) {
      const byte = piece[index] ?? 0;
      if (this.#position === 'file') {
        if (byte === QUOTE || byte === BACKSLASH) {
          if (start >= 0) parts.push(piece.subarray(start, index));
          start = -1;
          // Base64 needs no escape but "\/", which some writers use: dropping the backslash leaves the slash.
          if (byte === QUOTE) {
            this.#position = 'frame';
            this.#keep(QUOTE);
          }
        } else if (start < 0) start = index;
      } else this.#frameByte(byte);
    }
    if (start >= 0) parts.push(piece.subarray(start));
    return Buffer.concat(parts);
  }

  /** @returns the body with an empty `file`, once all has arrived. @throws validation_failed when it is no JSON object. */
  finish(): unknown {
    if (this.#position !== 'frame') throw malformed(msg('it ends in the middle of a string'));
    try {
      return JSON.parse(Buffer.from(this.#frame).toString('utf8'));
    } catch (error) {
      throw malformed(error instanceof Error ? error.message : msg('it cannot be read'));
    }
  }

  #keep(byte: number): void {
    if (this.#frame.length >= MAX_FRAME_BYTES) throw malformed(msg('its fields besides "file" are too long'));
    this.#frame.push(byte);
  }

  #frameByte(byte: number): void {
    this.#keep(byte);
    if (this.#position === 'key-or-value') {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) {
        this.#position = 'frame';
        this.#lastWord = Buffer.from(this.#word).toString('utf8');
        return;
      }
      this.#word.push(byte);
      return;
    }
    if (byte === QUOTE) {
      const isFile = this.#isAfterColon && this.#depth === 1 && this.#lastWord === 'file';
      this.#position = isFile ? 'file' : 'key-or-value';
      this.#word = [];
      this.#isAfterColon = false;
    } else if (byte === COLON) this.#isAfterColon = true;
    else if (byte === 0x7b || byte === 0x5b) {
      this.#depth += 1;
      this.#isAfterColon = false;
    } else if (byte === 0x7d || byte === 0x5d) this.#depth -= 1;
    else if (byte === 0x2c) this.#isAfterColon = false;
  }
}

/** Base64 text in pieces of any length to bytes. @throws validation_failed on a foreign character. */
export class Base64Decoder {
  #rest = '';

  push(piece: Buffer): Buffer {
    const text = this.#rest + piece.toString('latin1').replace(/[\r\n\t ]/g, '');
    if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(text)) {
      throw new AppError('validation_failed', undefined, {
        issues: [{ loc: ['body', 'file'], msg: msg('file is not base64.'), type: 'base64_invalid' }],
      });
    }
    const whole = text.length - (text.length % 4);
    this.#rest = text.slice(whole);
    return Buffer.from(text.slice(0, whole), 'base64');
  }

  finish(): Buffer {
    return Buffer.from(this.#rest, 'base64');
  }
}
