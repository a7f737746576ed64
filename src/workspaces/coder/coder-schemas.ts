import { z } from "zod";

/*
 * The schemas contain only used fields; others may appear and disappear. Enumerations are strings because new values appear
 * with new Coder versions, and an empty Go slice arrives as null. Source: codersdk of coder/coder v2.35.1.
 */

const list = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item)
    .nullish()
    .transform((items) => items ?? []);

/** The only feature of a licence that is read. */
export const entitlementsSchema = z.looseObject({
  features: z.looseObject({
    advanced_template_scheduling: z.looseObject({ enabled: z.boolean().nullish() }).nullish(),
  }),
});
export const buildInfoSchema = z.looseObject({ version: z.string() });
export const userSchema = z.looseObject({ id: z.string(), username: z.string().default("me") });

export const templateSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  active_version_id: z.string(),
  organization_id: z.string().nullish(),
  organization_name: z.string().nullish(),
  deprecated: z.boolean().nullish(),
  deprecation_message: z.string().nullish(),
  allow_user_cancel_workspace_jobs: z.boolean().nullish(),
  /** The next three fields are settings of Coder Premium, in milliseconds; 0 means off. */
  failure_ttl_ms: z.number().nullish(),
  time_til_dormant_ms: z.number().nullish(),
  time_til_dormant_autodelete_ms: z.number().nullish(),
});
export const templatesSchema = list(templateSchema);

/** The field names are in PascalCase because codersdk/presets.go has no JSON tags. */
export const presetsSchema = list(
  z.looseObject({
    ID: z.string(),
    Name: z.string(),
    Default: z.boolean().nullish(),
    /** The number of prebuilt Coder workspaces that the deployment keeps for this preset (Coder Premium). */
    DesiredPrebuildInstances: z.number().nullish(),
    Parameters: list(z.looseObject({ Name: z.string(), Value: z.string() })),
  }),
);

export const richParametersSchema = list(
  z.looseObject({
    name: z.string(),
    type: z.string().nullish(),
    required: z.boolean().nullish(),
    mutable: z.boolean().nullish(),
    default_value: z.string().nullish(),
    ephemeral: z.boolean().nullish(),
    options: list(z.looseObject({ value: z.string() })),
  }),
);

export const externalAuthSchema = list(
  z.looseObject({
    id: z.string(),
    display_name: z.string().nullish(),
    authenticate_url: z.string(),
    authenticated: z.boolean(),
    optional: z.boolean().nullish(),
  }),
);

export const buildParametersSchema = list(z.looseObject({ name: z.string(), value: z.string() }));

const agentSchema = z.looseObject({
  id: z.string(),
  parent_id: z.string().nullish(),
  name: z.string(),
  status: z.string(),
  lifecycle_state: z.string(),
  connection_timeout_seconds: z.number().nullish(),
  started_at: z.string().nullish(),
});

const buildSchema = z.looseObject({
  id: z.string(),
  build_number: z.number().nullish(),
  transition: z.string(),
  template_version_id: z.string(),
  initiator_id: z.string().nullish(),
  created_at: z.string().nullish(),
  job: z.looseObject({
    status: z.string(),
    error: z.string().nullish(),
    error_code: z.string().nullish(),
    completed_at: z.string().nullish(),
  }),
  matched_provisioners: z.looseObject({ available: z.number() }).nullish(),
  resources: list(z.looseObject({ agents: list(agentSchema) })),
});

export const workspaceSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  owner_id: z.string(),
  owner_name: z.string().nullish(),
  template_id: z.string(),
  created_at: z.string(),
  ttl_ms: z.number().nullish(),
  organization_id: z.string().nullish(),
  /** Whether its owner marked it as a favorite. */
  favorite: z.boolean().nullish(),
  latest_build: buildSchema,
});
export const notificationTemplatesSchema = list(
  z.looseObject({ id: z.string(), name: z.string(), enabled_by_default: z.boolean().nullish() }),
);
export const notificationPreferencesSchema = list(
  z.looseObject({ id: z.string(), disabled: z.boolean().nullish() }),
);
export const quotaSchema = z.looseObject({ credits_consumed: z.number(), budget: z.number() });
export const groupSchema = z.looseObject({ id: z.string() });
export const buildsSchema = list(buildSchema);
export const workspacesSchema = z.looseObject({
  workspaces: list(workspaceSchema),
  count: z.number().nullish(),
});

export const logsSchema = list(z.looseObject({ output: z.string() }));
export const errorSchema = z.looseObject({
  message: z.string(),
  detail: z.string().nullish(),
  validations: list(z.looseObject({ field: z.string(), detail: z.string() })),
});

export type CoderTemplate = z.infer<typeof templateSchema>;
export type CoderPreset = z.infer<typeof presetsSchema>[number];
export type RichParameter = z.infer<typeof richParametersSchema>[number];
export type ExternalAuth = z.infer<typeof externalAuthSchema>[number];
export type BuildParameter = z.infer<typeof buildParametersSchema>[number];
export type WorkspaceFacts = z.infer<typeof workspaceSchema>;
export type BuildFacts = z.infer<typeof buildSchema>;
export type AgentFacts = z.infer<typeof agentSchema>;
