/** Two letters that stand for a person. */
export const initialsOf = (name: string): string => {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const letters =
    words.length > 1 ? words.slice(0, 2).map((word) => word.slice(0, 1)) : [(words[0] ?? '?').slice(0, 2)];
  return letters.join('').toUpperCase();
};

interface AvatarProps {
  name: string;
  /** The name stands beside it already. */
  isDecorative?: boolean;
}

/** A person as their initials, with the whole name for who asks. */
export function Avatar({ name, isDecorative = false }: AvatarProps) {
  return (
    <span className="avatar" title={name}>
      <span aria-hidden="true">{initialsOf(name)}</span>
      {!isDecorative && <span className="sr">{name}</span>}
    </span>
  );
}
