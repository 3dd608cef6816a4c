import type { Fields } from './fields.ts'
import { entries } from './fields.ts'

/** One key of a config map. */
export interface DataEntry {
  key: string
  /** The text, whole; null for what is binary. */
  value: string | null
  /** In bytes of UTF-8; of what is binary, as decoded. */
  sizeBytes: number
}

/** A longer text is cut on the page, and can be downloaded whole. */
export const shownTextLength = 4000

/** The keys of a config map by name, texts and what is binary. */
export function dataEntries(configMap: Fields): readonly DataEntry[] {
  const encoder = new TextEncoder()
  return [
    ...entries(configMap['data']).map(([key, value]) => ({
      key,
      value,
      sizeBytes: encoder.encode(value).length,
    })),
    ...entries(configMap['binaryData']).map(([key, value]) => ({
      key,
      value: null,
      sizeBytes: decodedBytes(value),
    })),
  ].toSorted((a, b) => (a.key < b.key ? -1 : 1))
}

/** How many bytes a Base64 text encodes. */
function decodedBytes(base64: string): number {
  const length = base64.replaceAll(/[\s=]/g, '').length
  return Math.floor((length * 3) / 4)
}

/** A Base64 value as text; null for bytes that are no UTF-8. */
export function decodedText(base64: string): string | null {
  try {
    const bytes = Uint8Array.from(atob(base64), (char) => char.codePointAt(0) ?? 0)
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
