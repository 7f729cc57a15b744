# SPDX-License-Identifier: Apache-2.0
# With the preset models: LightGBM from PyPI's wheel, and llama.cpp built from the sources there, in every language.
set(arguments_lightgbm "")
set(arguments_llama ${DLFERRY_SETUP_DIR}/llama) # where model.gguf lies
foreach(example IN ITEMS lightgbm llama)
  set(folder ${DLFERRY_SETUP_DIR}/${example})
  set(script ${CMAKE_CURRENT_SOURCE_DIR}/${example}/library.sh)
  file(SHA256 ${script} hash)
  dlferry_step(${example} "${hash}" sh ${script} ${DLFERRY_PYTHON} ${folder})
  foreach(language IN LISTS DLFERRY_ALL_LANGUAGES)
    dlferry_test(NAME example_${example}_${language} LABELS ${language} generator example
      ENVIRONMENT ${tools} CPATH=${folder}/include LIBRARY_PATH=${folder}/lib LD_LIBRARY_PATH=${folder}/lib
      COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/try.sh ${language} ${example} ${arguments_${example}})
  endforeach()
endforeach()

# What llama.cpp changed from one version to the next.
dlferry_test(NAME example_llama_diff LABELS generator example COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/llama/diff.sh
  $<TARGET_FILE:dlferry-bind> ${DLFERRY_SETUP_DIR}/llama ${CMAKE_C_COMPILER} ${PROJECT_SOURCE_DIR}/core/include)
