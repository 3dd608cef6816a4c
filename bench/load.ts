import { Agent, request } from 'node:http'

/** Sends a GET over kept-alive connections, some at a time and with each set of headers in turn. Throws unless each reply is 200. */
export async function load(
  url: string,
  headers: Record<string, string>[],
  count: number,
  concurrency = 8,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  let left = count
  const worker = async () => {
    while (left-- > 0) await get(url, headers[left % headers.length] ?? {}, agent)
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  agent.destroy()
}

function get(url: string, headers: Record<string, string>, agent: Agent): Promise<void> {
  return new Promise((done, fail) => {
    const call = request(url, { headers, agent }, (reply) => {
      if (reply.statusCode !== 200) fail(new Error(`${url} answered ${reply.statusCode}`))
      reply.resume()
      reply.on('end', done)
    })
    call.on('error', fail)
    call.end()
  })
}
