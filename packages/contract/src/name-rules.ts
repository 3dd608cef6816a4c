/** Characters of a name, as people count them. */
export const maxNameLength = 100

// Control and format characters, which hide text or turn its direction round, and what is drawn as nothing; U+FE0F alone
// belongs to signs that are seen.
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\u2800]|(?!\uFE0F)\p{Default_Ignorable_Code_Point}/u

/** The first character of a text that nobody sees, as `U+202E`; undefined if all can be seen. */
export function unseenCharacter(text: string): string | undefined {
  const code = unseen.exec(text)?.[0].codePointAt(0)
  return code === undefined ? undefined : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

/**
 * What is wrong with the name of a person, an organization or a thing, as a sentence; undefined if nothing. Blanks
 * around it are not part of it, and whether it may be empty is for the form to say.
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
