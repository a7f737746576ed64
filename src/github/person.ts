/** An account of GitHub. */
export interface Person {
  id: number;
  login: string;
  isBot: boolean;
}
