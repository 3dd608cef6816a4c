/** Characters of a name, as people count them. */
export const maxNameLength = 100

// Control and format characters, which hide text or reverse its direction, and characters without a glyph. U+FE0F is
// allowed: it belongs to visible emoji.
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\u2800]|(?!\uFE0F)\p{Default_Ignorable_Code_Point}/u

/** The first invisible character of a text, as `U+202E`; undefined if all are visible. */
export function unseenCharacter(text: string): string | undefined {
  const code = unseen.exec(text)?.[0].codePointAt(0)
  return code === undefined ? undefined : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

/**
 * The reason why a name is not accepted, as a sentence; undefined if it is valid. Surrounding blanks are ignored.
 * Whether a name may be empty is decided by the form.
 */
export function nameError(name: string): string | undefined {
  const text = name.trim()
  const character = unseenCharacter(text)
  if (character !== undefined) {
    return `This name holds the character ${character}, which cannot be seen. Remove it: control, bidirectional and zero-width characters are not accepted.`
  }
  const length = Array.from(text).length
  if (length > maxNameLength) return `Use at most ${maxNameLength} characters; this name has ${length}.`
  return undefined
}
