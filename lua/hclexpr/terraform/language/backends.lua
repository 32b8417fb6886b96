-- Backends store a folder's state. This table has the arguments of all backends and of `cloud`. A configuration may leave out any of them,
-- because `init` also takes them from elsewhere; but a data source that reads such a state requires the arguments in `needs`.
local function single(arguments, is_object)
  return { max = 1, arguments = arguments, is_object = is_object }
end

local backends = {}

--- Backends by type.
backends.by_type = {
  ["local"] = { arguments = [[
    string: path workspace_dir]] },
  remote = { needs = "organization", arguments = [[
    string: hostname organization token]], blocks = {
    workspaces = single([[
      string: name prefix]], true),
  } },
  azurerm = { needs = "container_name key storage_account_name", arguments = [[
    string: access_key ado_pipeline_service_connection_id client_certificate client_certificate_password client_certificate_path
    string: client_id client_id_file_path client_secret client_secret_file_path container_name endpoint~ environment key metadata_host
    string: msi_endpoint oidc_request_token oidc_request_url oidc_token oidc_token_file_path resource_group_name sas_token
    string: storage_account_name subscription_id tenant_id
    bool: lookup_blob_endpoint snapshot use_aks_workload_identity use_azuread_auth use_cli use_msi use_oidc]] },
  consul = { needs = "path", arguments = [[
    string: access_token address ca_file cert_file datacenter http_auth key_file path scheme
    bool: gzip lock]] },
  cos = { needs = "bucket region", arguments = [[
    string: acl bucket cam_role_name domain endpoint key prefix profile region secret_id secret_key security_token
    string: shared_credentials_dir
    bool: accelerate encrypt]], blocks = {
    assume_role = single [[
      string: external_id policy role_arn session_name
      number: session_duration]],
  } },
  gcs = { needs = "bucket", arguments = [[
    string: access_token bucket credentials encryption_key impersonate_service_account kms_encryption_key prefix storage_custom_endpoint
    list(string): impersonate_service_account_delegates]] },
  http = { arguments = [[
    string: address client_ca_certificate_pem client_certificate_pem client_private_key_pem lock_address lock_method password
    string: unlock_address unlock_method update_method username
    bool: skip_cert_verification
    number: retry_max retry_wait_max retry_wait_min]] },
  inmem = { arguments = [[
    string: lock_id]] },
  kubernetes = { needs = "secret_suffix", arguments = [[
    string: client_certificate client_key cluster_ca_certificate config_context config_context_auth_info config_context_cluster
    string: config_path host namespace password proxy_url secret_suffix token username
    bool: in_cluster_config insecure load_config_file
    list(string): config_paths
    map(string): labels]], blocks = {
    exec = single([[
      string: api_version command
      list(string): args
      map(string): env]], true),
  } },
  oci = { needs = "bucket namespace", arguments = [[
    string: auth bucket config_file_profile fingerprint key kms_key_id namespace private_key private_key_password private_key_path
    string: region sse_customer_algorithm sse_customer_key sse_customer_key_sha256 tenancy_ocid user_ocid workspace_key_prefix]] },
  oss = { needs = "bucket", arguments = [[
    string: access_key acl assume_role_policy assume_role_role_arn assume_role_session_name bucket ecs_role_name endpoint key prefix
    string: profile region secret_key security_token shared_credentials_file sts_endpoint tablestore_endpoint tablestore_instance_name
    string: tablestore_table
    bool: encrypt
    number: assume_role_session_expiration]], blocks = {
    assume_role = single [[
      string: policy role_arn session_name
      number: session_expiration]],
  } },
  pg = { arguments = [[
    string: conn_str schema_name
    bool: skip_index_creation skip_schema_creation skip_table_creation]] },
  s3 = { needs = "bucket key", arguments = [[
    string: access_key acl bucket custom_ca_bundle dynamodb_endpoint~ dynamodb_table~ ec2_metadata_service_endpoint
    string: ec2_metadata_service_endpoint_mode endpoint~ http_proxy https_proxy iam_endpoint~ key kms_key_id no_proxy profile region
    string: retry_mode secret_key shared_credentials_file~ sse_customer_key sts_endpoint~ sts_region token workspace_key_prefix
    bool: encrypt force_path_style~ insecure skip_credentials_validation skip_metadata_api_check skip_region_validation
    bool: skip_requesting_account_id skip_s3_checksum use_dualstack_endpoint use_fips_endpoint use_lockfile use_path_style
    number: max_retries
    object: assume_role assume_role_with_web_identity endpoints
    set(string): allowed_account_ids forbidden_account_ids shared_config_files shared_credentials_files]] },
}

backends.cloud = { max = 1, arguments = [[
  string: hostname organization token]], blocks = {
  workspaces = single [[
    string: name project
    any: tags]],
} }

return backends
