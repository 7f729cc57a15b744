typedef struct k_codec k_codec; /**< A codec. */
k_codec *k_codec_new(double x);
int k_codec_open(k_codec **out, dlf_error *error);
int k_codec_encode(k_codec *c, const DLTensor *x, DLManagedTensorVersioned **out, dlf_error *error);
void k_codec_free(k_codec *c);
