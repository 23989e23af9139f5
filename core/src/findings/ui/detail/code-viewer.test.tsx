import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { codeLines, decodeCode, ReportedCode } from './code-viewer.tsx';

afterEach(cleanup);

const encode = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

describe('reported code', () => {
  it('is decoded from base64 of UTF-8', () => {
    expect(decodeCode(encode('const grüße = "→";'))).toBe('const grüße = "→";');
    expect(decodeCode('not base64!')).toBeUndefined();
  });

  it('numbers lines from where the code begins and marks those of the finding', () => {
    const lines = codeLines('a\nb\nc\nd\n', { firstLine: 34, markFrom: 35, markTo: 36 });
    expect(lines.map(({ number, isMarked }) => [number, isMarked])).toEqual([
      [34, false],
      [35, true],
      [36, true],
      [37, false],
    ]);
  });

  it('marks one line where the report gives no end', () => {
    const lines = codeLines('a\r\nb', { firstLine: 1, markFrom: 2, markTo: null });
    expect(lines).toEqual([
      { number: 1, text: 'a', isMarked: false },
      { number: 2, text: 'b', isMarked: true },
    ]);
  });

  it('shows the code as text, whatever it is, and copies it', async () => {
    const code = 'const a = 1;\nreturn "<script>alert(1)</script>";';
    const onCopy = vi.fn();
    const { container } = render(
      <ReportedCode
        encoded={encode(code)}
        path="routes/login.ts"
        firstLine={35}
        markFrom={36}
        markTo={36}
        onCopy={onCopy}
      />,
    );
    expect(container.querySelector('script')).toBeNull();
    expect(container.querySelector('.hit')?.textContent).toContain('36');
    expect(container.querySelector('.hit')?.textContent).toContain('<script>alert(1)</script>');
    await userEvent.click(screen.getByRole('button', { name: 'Copy code' }));
    expect(onCopy).toHaveBeenCalledWith(code);
  });

  it('says so when the code cannot be decoded', () => {
    render(<ReportedCode encoded="%%%" path="a" firstLine={1} markFrom={1} markTo={1} onCopy={() => undefined} />);
    expect(screen.getByText('The code in the report cannot be decoded.')).toBeDefined();
  });
});
