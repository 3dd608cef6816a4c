/** The command that prints the list on the screen, with the context of Bey's kubeconfig. */
export function kubectlGet({
  clusterTitle,
  resources,
  namespace,
  labels,
  isNamespaced = true,
}: {
  clusterTitle: string
  /** As kubectl names them, with commas between them. */
  resources: string
  namespace?: string | undefined
  labels?: string | undefined
  isNamespaced?: boolean
}): string {
  const scope = !isNamespaced ? [] : namespace ? ['-n', namespace] : ['-A']
  const selector = labels ? ['-l', labels] : []
  return ['kubectl', '--context', `bey-${clusterTitle}`, 'get', resources, ...scope, ...selector]
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ')
}
