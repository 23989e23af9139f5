/** STS answers in a fixed XML without attributes or nesting inside these elements. */
export function element(xml: string, name: string): string | null {
  return new RegExp(`<${name}>([^<]{1,2048})</${name}>`).exec(xml)?.[1] ?? null;
}
