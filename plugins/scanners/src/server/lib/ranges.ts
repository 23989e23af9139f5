/** Start and end offsets of many records in 8 bytes each; reports stay below 4 GiB (the host's upload limit is 512 MB). */
export class Ranges {
  private offsets = new Uint32Array(16);
  private used = 0;

  get length(): number {
    return this.used / 2;
  }

  push(start: number, end: number): void {
    if (this.used === this.offsets.length) {
      const larger = new Uint32Array(this.offsets.length * 2);
      larger.set(this.offsets);
      this.offsets = larger;
    }
    this.offsets[this.used] = start;
    this.offsets[this.used + 1] = end;
    this.used += 2;
  }

  start(index: number): number {
    return this.offsets[index * 2] ?? 0;
  }

  end(index: number): number {
    return this.offsets[index * 2 + 1] ?? 0;
  }
}
