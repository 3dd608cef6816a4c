/**
 * Letters of other scripts, and rare ones of Latin, that look like ASCII in the fonts of a screen: the part of Unicode's
 * confusables (UTS 39) whose looks are the same. What NFKC folds, such as full width, is not listed.
 */
const lookalikes: Readonly<Record<string, string>> = {
  a: 'аαɑ',
  b: 'ЬƄ',
  c: 'сϲⅽ',
  d: 'ԁɗ',
  e: 'еєҽ℮',
  g: 'ɡց',
  h: 'һհ',
  i: 'іıɩιӏ',
  j: 'јϳȷ',
  k: 'κкᴋ',
  l: 'ⅼļǀ',
  m: 'ⅿмᴍ',
  n: 'ոռ',
  o: 'оοօσᴏ',
  p: 'рρ',
  q: 'ԛգ',
  r: 'гᴦ',
  s: 'ѕꜱ',
  t: 'тτᴛ',
  u: 'υսᴜ',
  v: 'ѵνᴠ',
  w: 'ԝաᴡ',
  x: 'хχ×',
  y: 'уүγʏ',
  z: 'ᴢ',
  '.': '․。｡',
  '-': '‐‑‒–−',
}

const asciiOf = new Map(
  Object.entries(lookalikes).flatMap(([ascii, letters]) => Array.from(letters, (each) => [each, ascii])),
)

/**
 * Addresses with the same skeleton look alike, such as `ada@x.org` in full width, with a dotless i or a Cyrillic а. It is for
 * comparison alone and never shown or stored. ASCII is its own skeleton, in lower case.
 */
export function emailSkeleton(email: string): string {
  const folded = email.normalize('NFKC').toLowerCase()
  return Array.from(folded, (each) => asciiOf.get(each) ?? each).join('')
}
