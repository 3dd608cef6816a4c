export const backupTargetLimits = {
  perOrganization: 20,
  endpoint: 300,
  region: 40,
  prefix: 200,
  accessKeyId: 200,
  secretAccessKey: 500,
} as const

/** What is wrong with the address of an S3-compatible service, as a sentence; undefined where nothing is. */
export function s3EndpointError(text: string): string | undefined {
  if (!URL.canParse(text)) return 'Enter a whole URL, such as https://s3.example.com.'
  const { protocol, username, password, pathname, search, hash } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:') return 'Use a URL that begins with https:// or http://.'
  if (username !== '' || password !== '') return 'Leave credentials out of the URL: enter them below.'
  if (pathname !== '/' || search !== '' || hash !== '') {
    return 'Leave out what follows the host: the bucket has a field of its own.'
  }
  return undefined
}

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html */
export function bucketNameError(text: string): string | undefined {
  const isName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text) && !text.includes('..')
  if (isName && !/^\d+\.\d+\.\d+\.\d+$/.test(text)) return undefined
  return 'Use 3 to 63 lower-case letters, digits, hyphens and dots; begin and end with a letter or digit.'
}

/** The part of a bucket below which backups are kept: empty, or names separated by slashes. */
export function prefixError(text: string): string | undefined {
  if (text === '' || /^[A-Za-z0-9_=-][A-Za-z0-9._=-]*(\/[A-Za-z0-9_=-][A-Za-z0-9._=-]*)*$/.test(text)) {
    return undefined
  }
  return 'Use names of letters, digits, dots, hyphens and underscores, separated by /; none begins with a dot.'
}
