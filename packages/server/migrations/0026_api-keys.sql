CREATE TABLE "api_key_secrets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"key_id" uuid NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"start" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"valid_until" timestamp (3) with time zone,
	CONSTRAINT "api_key_secrets_token_hash_key" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "api_key_secrets" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"name" text NOT NULL,
	"owner_id" integer,
	"made_by" integer NOT NULL,
	"role" text NOT NULL,
	"permissions" text[] NOT NULL,
	"resources" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"allowed_addresses" text[] DEFAULT '{}' NOT NULL,
	"requests_per_minute" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"last_used_ip" text,
	CONSTRAINT "api_keys_organization_id_id_key" UNIQUE("organization_id","id"),
	CONSTRAINT "api_keys_role_is_known" CHECK ("api_keys"."role" in ('OWNER', 'ADMIN', 'MEMBER', 'VIEWER'))
);
--> statement-breakpoint
ALTER TABLE "api_keys" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "api_key_secrets" ADD CONSTRAINT "api_key_secrets_organization_id_key_id_api_keys_organization_id_id_fk" FOREIGN KEY ("organization_id","key_id") REFERENCES "public"."api_keys"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_made_by_users_id_fk" FOREIGN KEY ("made_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_organization_id_owner_id_memberships_organization_id_user_id_fk" FOREIGN KEY ("organization_id","owner_id") REFERENCES "public"."memberships"("organization_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_key_secrets_key_idx" ON "api_key_secrets" USING btree ("organization_id","key_id");--> statement-breakpoint
CREATE INDEX "api_key_secrets_valid_until_idx" ON "api_key_secrets" USING btree ("valid_until");--> statement-breakpoint
CREATE UNIQUE INDEX "api_key_secrets_present_key" ON "api_key_secrets" USING btree ("key_id") WHERE valid_until is null;--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_name_key" ON "api_keys" USING btree ("organization_id",coalesce(owner_id, 0),lower(name)) WHERE revoked_at is null;--> statement-breakpoint
CREATE INDEX "api_keys_list_idx" ON "api_keys" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "api_keys_owner_idx" ON "api_keys" USING btree ("organization_id","owner_id");--> statement-breakpoint
CREATE INDEX "api_keys_made_by_idx" ON "api_keys" USING btree ("made_by");--> statement-breakpoint
CREATE INDEX "api_keys_expires_at_idx" ON "api_keys" USING btree ("expires_at");--> statement-breakpoint
CREATE POLICY "tenant" ON "api_key_secrets" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "api_key_secrets" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "api_keys" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "api_keys" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);