const pageStep = 8

/** How far a key moves among the results, or undefined if it does not. */
export function stepOf(key: string): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return 1
    case 'ArrowUp':
      return -1
    case 'PageDown':
      return pageStep
    case 'PageUp':
      return -pageStep
    default:
      return undefined
  }
}

interface Digit {
  code: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
}

/** Index of the result that ⌘, Ctrl or Alt with 1–9 chooses. Alt changes the sign that a key types, so its place counts. */
export function quickSelectIndex(event: Digit): number | undefined {
  const modifiers = [event.ctrlKey, event.metaKey, event.altKey].filter(Boolean).length
  const digit = /^(?:Digit|Numpad)([1-9])$/.exec(event.code)?.[1]
  return modifiers === 1 && !event.shiftKey && digit ? Number(digit) - 1 : undefined
}
