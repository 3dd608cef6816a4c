import { isIP } from 'node:net'

/** Whether a text is an IP address or a network, with or without a port: `10.0.0.0/8`, `127.0.0.1:9443`, `[fd00::/8]:443`. */
export function isWebhookTarget(target: string): boolean {
  const parts = /^(?:\[([0-9a-f:.]+)(?:\/(\d{1,3}))?\]|([\d.]+)(?:\/(\d{1,2}))?)(?::(\d{1,5}))?$/i.exec(
    target,
  )
  const [, six, sixBits = '0', four, fourBits = '0', port = '0'] = parts ?? []
  const isAddress = six === undefined ? isIP(four ?? '') === 4 : isIP(six) === 6
  return isAddress && Number(sixBits) <= 128 && Number(fourBits) <= 32 && Number(port) <= 65_535
}
