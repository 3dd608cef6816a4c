/** Reads Talos endpoints, which arrive as a list or as a JSON string of a list. Anything else gives an empty list. */
export function parseTalosEndpoints(value: unknown): string[] {
  if (Array.isArray(value)) return value.filter((item): item is string => typeof item === 'string')
  if (typeof value !== 'string') return []
  try {
    const parsed: unknown = JSON.parse(value)
    return Array.isArray(parsed) ? parseTalosEndpoints(parsed) : []
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}
