import { useState } from 'react';

/** Two letters that stand for a person. */
export const initialsOf = (name: string): string => {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const letters =
    words.length > 1 ? words.slice(0, 2).map((word) => word.slice(0, 1)) : [(words[0] ?? '?').slice(0, 2)];
  return letters.join('').toUpperCase();
};

interface AvatarProps {
  name: string;
  /** Address of a picture; the initials show where there is none, or it does not come. */
  picture?: string | undefined;
  isLarge?: boolean;
  /** The name stands beside it already. */
  isDecorative?: boolean;
}

/** A person as their picture or initials, with the whole name for who asks. */
export function Avatar({ name, picture, isLarge = false, isDecorative = false }: AvatarProps) {
  const [missing, setMissing] = useState<string>();
  return (
    <span className={isLarge ? 'avatar l' : 'avatar'} title={name}>
      <span aria-hidden="true">{initialsOf(name)}</span>
      {picture !== undefined && picture !== missing && (
        <img src={picture} alt="" loading="lazy" onError={() => setMissing(picture)} />
      )}
      {!isDecorative && <span className="sr">{name}</span>}
    </span>
  );
}
