const PATTERNS = [
  /^export\s+(?:default\s+)?(?:async\s+)?(?:function\*?|class|const|let)\s+([A-Za-z_$][\w$]*)/gm,
  // CommonJS: what one file of a package gives, and what it adds to that.
  /^\s*module\.exports\s*=\s*(?:async\s+)?(?:function\*?|class)\s+([A-Za-z_$][\w$]*)/gm,
  /^\s*module\.exports\s*=\s*([A-Za-z_$][\w$]*)\s*;?\s*$/gm,
  /^\s*(?:module\.)?exports\.([A-Za-z_$][\w$]*)\s*=/gm,
];
const ANONYMOUS = /^\s*module\.exports\s*=\s*(?:async\s+)?(?:function\*?\s*\(|\()/m;

/** The names a source file exports, as far as a look at its lines tells. `ifAnonymous`: what its users call a nameless one. */
export function exportedNames(source: string, ifAnonymous: string | null): string[] {
  const named = PATTERNS.flatMap((pattern) => [...source.matchAll(pattern)].map(([, name = ""]) => name));
  const nameless = ifAnonymous !== null && ANONYMOUS.test(source) ? [ifAnonymous] : [];
  return [...new Set([...named, ...nameless])];
}
