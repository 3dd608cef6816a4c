/** A name that Kubernetes takes, as near to that of the secret as there is. */
export function kubernetesName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 63)
    .replaceAll(/^-+|-+$/g, '')
  return plain === '' ? 'secret' : plain
}
