/** Offers text to the user as a file. */
export function downloadText(fileName: string, text: string, mediaType: string): void {
  downloadBlob(fileName, new Blob([text], { type: mediaType }))
}

/** Offers what was received to the user as a file. */
export function downloadBlob(fileName: string, blob: Blob): void {
  const url = URL.createObjectURL(blob)
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.download = fileName
  document.body.append(anchor)
  anchor.click()
  anchor.remove()
  // The click has handed the file over; revoking in the same task would cancel it in some browsers.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
