import { StringDecoder } from 'node:string_decoder'

/**
 * The lines of a stream of bytes in UTF-8, without their ends; blank ones are left out. `onTooLong` throws where a line exceeds
 * `maxLength` characters.
 */
export async function* linesOf(
  chunks: AsyncIterable<Buffer>,
  maxLength: number,
  onTooLong: () => never,
): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  // Of the line that has not ended yet: a large one comes in hundreds of pieces, of which each is looked at once.
  let pieces: string[] = []
  let length = 0
  for await (const chunk of chunks) {
    const text = decoder.write(chunk)
    let from = 0
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      const line = pieces.join('') + text.slice(from, end)
      pieces = []
      length = 0
      from = end + 1
      if (line.trim() !== '') yield line
    }
    pieces.push(text.slice(from))
    length += text.length - from
    if (length > maxLength) onTooLong()
  }
  const rest = pieces.join('')
  if (rest.trim() !== '') yield rest
}
