import type { Config } from './config.ts'

/** Where browsers find this process, on the port that it listens on: the public address, or localhost. */
export function localAddress(config: Config, port: number): string {
  // People are sent to the others.
  if (config.publicUrl !== undefined && config.role !== 'worker') return config.publicUrl
  const host = ['127.0.0.1', '0.0.0.0', '::', '::1'].includes(config.host) ? 'localhost' : config.host
  return `http://${host}:${port}`
}
