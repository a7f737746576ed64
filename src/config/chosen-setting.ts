export type SettingSource = "flag" | "environment" | "file" | "default";

/** One resolved setting, and what it could be set with. */
export interface ChosenSetting {
  /** Its path in the config file, e.g. `coder.template`; `home` has none there. */
  key: string;
  /** As it would stand in the config file. */
  value: unknown;
  source: SettingSource;
  flag: string | null;
  variable: string | null;
}

interface Candidates<Value> {
  flag?: readonly [name: string, value: Value | undefined];
  variable?: readonly [name: string, value: Value | null];
  file?: Value | null | undefined;
}

export interface Choosing {
  /** In the order in which they were chosen. */
  readonly chosen: readonly ChosenSetting[];
  /** Flags beat the environment, the environment beats the file, the file beats the fallback. */
  choose: <Value>(
    key: string,
    candidates: Candidates<Value>,
    fallback: Value,
    write?: (value: Value) => unknown,
  ) => Value;
}

export function startChoosing(): Choosing {
  const chosen: ChosenSetting[] = [];
  return {
    chosen,
    choose: (key, { flag, variable, file }, fallback, write = (value) => value) => {
      const offers = [
        ["flag", flag?.[1]],
        ["environment", variable?.[1]],
        ["file", file],
      ] as const;
      const offer = offers.find(([, value]) => value !== undefined && value !== null);
      const [source, value] = [offer?.[0] ?? "default", offer?.[1] ?? fallback] as const;
      chosen.push({
        key,
        value: write(value),
        source,
        flag: flag?.[0] ?? null,
        variable: variable?.[0] ?? null,
      });
      return value;
    },
  };
}
