/** Returns the text with each letter moved `by` places on in the alphabet; 13: ROT13. */
export function rotated(text: string, by: number): string {
  return text.replaceAll(/[a-z]/gi, (letter) => {
    const first = letter <= "Z" ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - first + by) % 26) + first);
  });
}
