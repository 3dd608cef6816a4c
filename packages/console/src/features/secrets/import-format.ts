import type { SecretTransferFormat } from '@bey/contract'

export const formatLabels: Record<SecretTransferFormat, string> = {
  env: '.env',
  yaml: 'YAML',
  kubernetes: 'Kubernetes manifest',
}

/** What a text most likely is; the form lets one say otherwise. */
export function detectFormat(text: string): SecretTransferFormat {
  if (/^\s*["']?kind["']?\s*:\s*["']?Secret/m.test(text)) return 'kubernetes'
  const first = text.split('\n').find((line) => /\S/.test(line) && !/^\s*#/.test(line)) ?? ''
  return /^\s*(export\s+)?[^\s:=]+\s*=/.test(first) ? 'env' : 'yaml'
}
