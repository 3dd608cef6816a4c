/** The message of a Status of Kubernetes in its JSON, without its full stop; undefined where the text is none. */
export function statusMessage(text: string): string | undefined {
  try {
    const { message } = JSON.parse(text) as { message?: unknown }
    return typeof message === 'string' ? message.replace(/\.$/, '') : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
