/** A DNS label (RFC 1123): required of cluster titles and node group names, because node names contain them. */
export function isDnsLabel(text: string): boolean {
  return /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(text)
}
