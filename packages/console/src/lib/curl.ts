/** A call to the API as a curl command. */
export interface CurlCall {
  method: string
  /** With its query, without an origin. */
  path: string
  headers?: Readonly<Record<string, string>>
  /** JSON text. */
  body?: string | undefined
}

/** A call as a command line to paste into a shell; the token is read from `$BEY_TOKEN`, never printed. */
export function curlCommand({ method, path, headers = {}, body }: CurlCall, origin: string): string {
  const lines = [
    method === 'GET' ? `curl ${quoted(origin + path)}` : `curl -X ${method} ${quoted(origin + path)}`,
    '-H "Authorization: Bearer $BEY_TOKEN"',
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-H 'content-type: application/json'`, `-d ${quoted(body)}`]),
  ]
  return lines.join(' \\\n  ')
}

/** One word of a POSIX shell, whatever it holds. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
